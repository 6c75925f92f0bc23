"""Adults' accounts, on top of allauth.

`adapters`, `backends`, `passkeys`, `receivers` and `validators` are what allauth and Django call.
`services` creates accounts and proves identity, `sessions` ends idle sessions, `known_devices`
remembers devices, and `limits` counts wrong tries in the `shared_store`. `mail` writes to adults.
"""
