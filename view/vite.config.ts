import { defineConfig } from 'vitest/config';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One page with everything in it: it is linked into the executable and begins every HTML report.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: 'es2023', chunkSizeWarningLimit: 1000, reportCompressedSize: false },
  // A page from disk may start a worker only if it is no module.
  worker: { format: 'iife' },
  test: { include: ['tests/**/*.test.{ts,tsx}'], environment: 'happy-dom', testTimeout: 60_000 },
});
