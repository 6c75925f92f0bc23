"""The WSGI application that granian serves."""

import gc
import os
from typing import Final

from django.core.wsgi import get_wsgi_application

from nmbrs_edu.middleware import ReadableRequest

NEW_OBJECTS: Final = 20_000
"""How many new objects start the garbage collector. A move makes thousands, and nearly all are
freed without it. With Python's default of 700 it would interrupt a move several times in vain."""

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")

application = get_wsgi_application()
application.request_class = ReadableRequest
gc.set_threshold(NEW_OBJECTS)
