"""The classic of line profiling: which points lie inside a contour, with 2 million line hits."""

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] * 5


def is_inside_contour(x, y, contour):
    inside = False
    last_x, last_y = contour[-1]
    for next_x, next_y in contour:
        if (next_y > y) != (last_y > y):
            slope = (last_x - next_x) / (last_y - next_y)
            crossing = next_x + slope * (y - next_y)
            if x < crossing:
                inside = not inside
        last_x, last_y = next_x, next_y
    return inside


for row in range(20_000):
    is_inside_contour(row / 20_000, 0.5, SQUARE)
