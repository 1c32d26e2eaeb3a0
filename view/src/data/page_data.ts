// What a page made by `pyrometer view --html` carries: base64 of gzip of a columns file.
import { decodeColumns, type Columns } from './columns';

const ID = 'pyrometer-data';

// Null where the page carries nothing, because a server gives the data.
export async function readPageData(page: Document): Promise<Columns | null> {
  const element = page.getElementById(ID);
  if (element === null) return null;
  const packed = decodeBase64((element.textContent ?? '').replace(/\s+/g, ''));
  // A hundred megabytes of text are not needed twice.
  element.remove();
  return decodeColumns(await gunzip(packed));
}

interface Base64Constructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return (Uint8Array as Base64Constructor).fromBase64?.(text) ?? decodeInPieces(text);
  } catch {
    throw new Error('The data of this page are damaged: they are not base64. Write the page again.');
  }
}

// For browsers before 2025. Pieces, because a string of a hundred megabytes is too long for some.
export function decodeInPieces(text: string): Uint8Array<ArrayBuffer> {
  const PIECE = 1 << 18; // a multiple of four letters
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let at = 0;
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = atob(text.slice(start, start + PIECE));
    for (let i = 0; i < piece.length; ++i) bytes[at++] = piece.charCodeAt(i);
  }
  return bytes;
}

async function gunzip(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new DecompressionStream('gzip');
  const writer = stream.writable.getWriter();
  // What goes wrong here is told by the reader too.
  writer.write(packed).catch(() => undefined);
  writer.close().catch(() => undefined);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = stream.readable.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      length += piece.value.length;
    }
  } catch {
    throw new Error('The data of this page are damaged: they cannot be unpacked. Write the page again.');
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
