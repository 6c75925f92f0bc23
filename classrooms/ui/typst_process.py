"""A separate process that typesets one `.typ` file and exits, which frees all its memory.

It reads the job as JSON from standard input and writes the PDF to standard output. If typst
refuses, it writes the reason to standard error and exits with `TYPST_REFUSED`. It imports nothing
of the site."""

import json
import sys
from typing import Any

TYPST_REFUSED = 3


def set_pdf(job: dict[str, Any]) -> tuple[int, bytes, bytes]:
    """The exit status, the PDF, and the reason if there is no PDF."""
    # Imported only after the limits are set and the job has come, so that they hold for the import.
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
        # The diagnostic lists all errors, the message only the first one.
        return TYPST_REFUSED, b"", (problem.diagnostic or problem.message).encode()
    assert isinstance(pdf, bytes)
    return 0, pdf, b""


if __name__ == "__main__":
    status, pdf, problem = set_pdf(json.load(sys.stdin))
    sys.stdout.buffer.write(pdf)
    sys.stderr.buffer.write(problem)
    sys.exit(status)
