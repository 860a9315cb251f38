"""The bundled pipeline as spaCy looks for pipelines: as an installed package of its own name.

`spacy.load("en_preorder_web")` asks for a distribution and a module of that name. The build puts
both beside this package: `en_preorder_web.py`, and `PKG-INFO` as its `.egg-info` (a wheel cannot
hold a second `.dist-info`). They belong to this package and go with it.
"""
