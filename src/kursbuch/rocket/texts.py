describe = prompt = pick = panels = marks = None
