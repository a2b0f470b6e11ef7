import { ActionIcon, Button } from '@mantine/core';
import { X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import classes from './kit.module.css';
import { t } from './translate.ts';

interface Toast {
  readonly text: string;
  readonly kind?: 'success' | 'failure';
  /** Offered for ten seconds. */
  readonly undo?: () => void | Promise<void>;
}
type Show = (toast: Toast | string) => void;

const Toasts = createContext<Show>(() => {});
const shownMs = { plain: 5_000, undo: 10_000, failure: 15_000 };

/** Shows outcomes in a corner; errors stay longer. Screen readers announce them, and the focus does not move. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly (Toast & { id: number })[]>([]);
  const count = useRef(0);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((each) => each.id !== id)), []);
  const show = useCallback<Show>(
    (given) => {
      const toast = typeof given === 'string' ? { text: given } : given;
      count.current += 1;
      const id = count.current;
      setToasts((all) => [...all.slice(-3), { ...toast, id }]);
      const kind = toast.undo ? 'undo' : toast.kind === 'failure' ? 'failure' : 'plain';
      setTimeout(() => remove(id), shownMs[kind]);
    },
    [remove],
  );
  const list = useMemo(
    () =>
      toasts.map((toast) => (
        <div key={toast.id} className={classes.toast} data-kind={toast.kind}>
          <span className={classes.toastText}>{toast.text}</span>
          {toast.undo && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => {
                remove(toast.id);
                void Promise.resolve(toast.undo?.()).catch((error: Error) =>
                  show({ text: error.message, kind: 'failure' }),
                );
              }}
            >
              {t('Undo')}
            </Button>
          )}
          <ActionIcon size="sm" aria-label={t('Dismiss')} onClick={() => remove(toast.id)}>
            <X size={14} />
          </ActionIcon>
        </div>
      )),
    [toasts, remove, show],
  );
  return (
    <Toasts value={show}>
      {children}
      <div className={classes.toasts} role="status">
        {list}
      </div>
    </Toasts>
  );
}

export function useToast(): Show {
  return useContext(Toasts);
}
