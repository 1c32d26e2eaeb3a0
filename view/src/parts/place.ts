// A place with its end in sight: the file's name and the line say more than the folders.
export function shortPlace(place: string, most = 26): string {
  if (place.length <= most) return place;
  const pieces = place.split('/');
  let end = pieces.pop() ?? '';
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    if (end.length + piece.length + 3 > most) break;
    end = `${piece}/${end}`;
  }
  return end.length === place.length ? place : `…/${end}`;
}
