// The last part of a path with a line, as places are shown everywhere.
export function placeText(file: string, line: number): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name !== '' && line > 0 ? `${name}:${line}` : name;
}
