import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './app/query-client.ts';
import { createAppRouter } from './app/router.tsx';
import { takeSetUpToken } from './app/set-up-token.ts';
import { ToastProvider } from './ui/toast.tsx';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import './ui/styles/layout.css';
import './ui/styles/controls.css';
import './ui/styles/surfaces.css';
import './ui/styles/overlays.css';
import './ui/styles/features.css';

takeSetUpToken();
const client = createQueryClient(() => {
  client.removeQueries({ queryKey: ['auth'] });
  void router.invalidate();
});
const router = createAppRouter(client);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
