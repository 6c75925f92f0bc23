"""`base` is for all environments; a developer's machine uses `local`, a school `production`, and
the tests `test`. `reading` reads what people write in .env, `languages` lists the languages."""
