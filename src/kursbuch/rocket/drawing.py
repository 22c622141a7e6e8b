draw = None
