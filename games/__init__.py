"""The game, for anyone who plays it; it knows no school.

`views` has its pages, `models` its tables, `tasks` what Celery does for it, and `signals` what it
tells the school. `shown_once` keeps an answer for the page after a redirect; `marks` tell the proxy
and the middleware about views. The packages, from the lowest layer up: `engine`, `coach`, `bots`,
`play`, `screen`.
"""
