import { defineConfig } from 'vitest/config';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One page with everything in it: it is linked into the executable and begins every HTML report.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: 'es2023', chunkSizeWarningLimit: 1000, reportCompressedSize: false },
  worker: { format: 'es' },
  test: { include: ['tests/**/*.test.{ts,tsx}'], environment: 'happy-dom' },
});
