"""`own_face` draws a child with the face that it chose, or the plain one."""

from django import template

from games.screen.pictures.player_faces import own_face

register = template.Library()
register.filter("own_face", own_face)
