// Files that the browser saves.
export function save(content: BlobPart, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function saveCanvas(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob) save(blob, name, 'image/png');
  });
}

// An SVG drawn as pixels, twice as fine as on the screen.
export function saveSvgAsPng(svg: string, width: number, height: number, name: string): void {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    saveCanvas(canvas, name);
  };
  image.onerror = () => URL.revokeObjectURL(address);
  image.src = address;
}

// Rows as CSV. A cell that a spreadsheet would take for a formula is kept from being one.
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string => {
    if (typeof value === 'number') return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(',') + '\n').join('');
}

export function saveCsv(rows: readonly (readonly (string | number)[])[], name: string): void {
  save(csvOf(rows), name, 'text/csv');
}

export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
