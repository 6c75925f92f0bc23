"""Run as a process of its own: sets one file for typst and ends, and all that it took with it.

What it is to set comes as JSON by standard input; the PDF goes to standard output. It ends with
`NOT_SET` where typst refuses, and says why on standard error. It knows nothing of the site.
"""

import json
import resource
import sys

NOT_SET = 3


def main() -> int:
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"] + 1))
    resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    # After the limits: from here on they hold for everything.
    import typst

    try:
        made = typst.compile(
            asked["source"],
            root=asked["root"],
            font_paths=typst.Fonts(include_system_fonts=asked["system_fonts"]),
            sys_inputs={"data": asked["data"]},
            format="pdf",
            pdf_standards="ua-1",
        )
    except typst.TypstError as problem:
        sys.stderr.write(problem.message)
        return NOT_SET
    assert isinstance(made, bytes)
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
