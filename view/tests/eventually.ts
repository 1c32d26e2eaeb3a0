// What comes after a while, and on a busy machine after a longer one.
import { vi } from 'vitest';

export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000 });
}
