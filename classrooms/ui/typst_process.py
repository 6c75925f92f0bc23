"""Runs as a separate process that sets one `.typ` file and exits, which frees all its memory.

The job comes as JSON on standard input; the PDF goes to standard output. It exits with `NOT_SET`
where typst refuses, with the reason on standard error. It imports nothing of the site.
"""

import json
import sys

NOT_SET = 3


def main() -> int:
    job = json.load(sys.stdin)
    # Imported after the job has come, when the limits are set, so that they hold for all of it.
    import typst

    try:
        pdf = typst.compile(
            job["source"],
            root=job["root"],
            font_paths=job["fonts"],
            sys_inputs={"data": job["data"], "note": job["note"]},
            format="pdf",
            pdf_standards="ua-1",
        )
    except typst.TypstError as problem:
        # All that is wrong; the message has the first only.
        sys.stderr.write(problem.diagnostic or problem.message)
        return NOT_SET
    assert isinstance(pdf, bytes)
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
