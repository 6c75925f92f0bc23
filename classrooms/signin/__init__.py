"""The children's door, and their sign-in cards.

`door` tries a class code, `listed_names` says who may choose a name from the list, `services` tries
the pictures, and `sessions` keeps the child signed in. `wrong_tries` shows teachers who cannot sign
in. `children_only` has the cookies and the language of children's pages, also on a shared device.
`cards` makes cards and letters.
"""
