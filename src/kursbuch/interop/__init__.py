"""Kursbuch for machine learning: games as small choices from fixed alphabets, positions as arrays.

`environment` plays games by tokens; `encoding` writes actions as tokens and positions as arrays. `pettingzoo`,
`openspiel` and `dataset` adapt them and need optional extras (docs/laboratory.md).
"""
