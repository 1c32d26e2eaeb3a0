import { formatValue } from '../../model/format';

// "+2.00 MiB": what was added or given back.
export function signedBytes(bytes: number): string {
  return `${bytes > 0 ? '+' : ''}${formatValue(bytes, 'bytes')}`;
}
