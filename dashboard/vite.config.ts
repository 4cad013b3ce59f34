import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** `npm run dev` in this folder serves the sources and hands everything else to a running Postrider. */
const server = process.env.POSTRIDER_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  // The SDK is taken from its sources, so that neither has to be built before the other.
  resolve: { conditions: ['@postrider/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    cssTarget: 'chrome123',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The client loads it for who sends React; pages never do.
    rolldownOptions: { external: ['@react-email/render'] },
  },
  server: { proxy: { '/api': { target: server, changeOrigin: true } } },
});
