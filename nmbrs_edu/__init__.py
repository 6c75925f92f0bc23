"""The Django project: settings, URLs, and the Celery app.

`wsgi` answers requests through `middleware`, `addresses` knows the kind of each URL, `static` joins
styles and scripts, and `logs` keeps names out of the log. `school` is `make school`, `run` is `make
run`, and `certificates` gets the certificate of the site.
"""

from nmbrs_edu.celery import app as celery_app

__all__ = ["celery_app"]
