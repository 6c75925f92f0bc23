"""The lab: tournaments of bots, simulations of children, and fitting of parameters."""

import os

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")
    django.setup()
