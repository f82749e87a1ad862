import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: path.join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    // The content security policy allows no font or style from a data: address.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  // `vite web` beside a running service: the page reloads itself while it is written.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
