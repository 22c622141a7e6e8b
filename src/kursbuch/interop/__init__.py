"""Kursbuch for programs that learn: games as small choices from fixed alphabets, positions as arrays.

`course` plays a game so, `spelling` writes actions and `arrays` positions; `pettingzoo`, `openspiel` and
`dataset` offer them in the forms of others, and need their optional extras (docs/laboratory.md).
"""
