"""`{{ address|qr }}`: the QR code of an address."""

from django import template

from classrooms.ui.pages import qr_svg

register = template.Library()
register.filter("qr", qr_svg)
