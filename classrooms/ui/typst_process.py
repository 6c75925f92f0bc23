"""A separate process that sets one `.typ` file and exits, which frees all its memory.

It reads the job as JSON from standard input, and writes the PDF to standard output. If typst
refuses, it writes the reason to standard error and exits with `NOT_SET`. It imports nothing of the
site.
"""

import json
import sys

NOT_SET = 3


def main() -> int:
    job = json.load(sys.stdin)
    # Imported only now: when the job has come, the limits are set, so they hold for the import too.
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
        # The diagnostic has all errors, the message only the first.
        sys.stderr.write(problem.diagnostic or problem.message)
        return NOT_SET
    assert isinstance(pdf, bytes)
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
