import './theme/index.ts';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query.ts';
import { createPortalRouter } from './frame/router.tsx';
import { ConfirmProvider } from './kit/confirm.tsx';
import { direction } from './kit/language.ts';
import { ToastProvider } from './kit/toasts.tsx';
import { schemeManager } from './theme/color-scheme.ts';
import { theme } from './theme/theme.ts';

const queries = createQueryClient();
const router = createPortalRouter(queries);
/** The styles that parts write while they run carry the number that the page came with. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// what locks the page behind a dialog looks for it there
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('root');
if (!place) throw new Error('The page has no place for the portal');
createRoot(place).render(
  <StrictMode>
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <MantineProvider
        theme={theme}
        colorSchemeManager={schemeManager()}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <ToastProvider>
            <ConfirmProvider>
              <RouterProvider router={router} />
            </ConfirmProvider>
          </ToastProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);
