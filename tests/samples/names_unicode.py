def größe(ñ, 変数=2):
    π = ñ * 変数
    return {"π": π}

class Ünï:
    é = 1

print(größe(3), Ünï.é)
