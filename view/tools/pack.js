// The built page becomes what the executable carries: with a policy that allows exactly the scripts
// and styles in it, compressed, and not larger than promised.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LARGEST = 200_000; // bytes, compressed

const built = new URL('../dist/index.html', import.meta.url);
const packed = new URL('../bundle/view.html.gz', import.meta.url);

const hashes = (page, tag) =>
  [...page.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map(([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ');

const page = readFileSync(built, 'utf8');
const policy = [
  "default-src 'none'",
  `script-src ${hashes(page, 'script')}`,
  `style-src ${hashes(page, 'style')}`,
  'img-src data: blob:',
  'worker-src blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const charset = '<meta charset="utf-8" />';
if (!page.includes(charset)) throw new Error(`${built.pathname} has no ${charset}`);
const guarded = page.replace(
  charset,
  `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
);
const bytes = gzipSync(guarded, { level: 9 });
if (bytes.length > LARGEST) {
  throw new Error(`the view has ${bytes.length} bytes compressed, more than ${LARGEST}`);
}
mkdirSync(new URL('.', packed), { recursive: true });
writeFileSync(packed, bytes);
console.log(`view.html.gz: ${bytes.length} bytes, ${guarded.length} unpacked`);
