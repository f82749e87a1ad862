import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    // The content security policy allows no data: URLs for fonts and styles.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The lists against which new passwords are judged have 2,700 kB; every other part is far smaller.
    chunkSizeWarningLimit: 3000,
  },
  // For `vite web` with a running service, with hot reload.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
