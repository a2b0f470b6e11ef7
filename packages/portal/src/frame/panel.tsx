import { ActionIcon, Skeleton, Title } from '@mantine/core';
import { X } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { t } from '../kit/translate.ts';
import { panels } from './areas.ts';
import classes from './frame.module.css';
import { useUrlState } from './url-state.ts';

/** Opens and closes the right panel; the address holds its content as `panel=<kind>~<id>`. */
export function usePanel(): {
  open: (kind: string, id?: string) => void;
  close: () => void;
  shown: string | undefined;
} {
  const [shown, show] = useUrlState('/ai', 'panel');
  return {
    shown,
    open: (kind, id = '') => show(`${kind}~${id}`, { isStep: true }),
    close: () => show(undefined),
  };
}

/** The right panel; at most one is open. */
export function RightPanel() {
  const { shown, close } = usePanel();
  const [kind = '', ...rest] = (shown ?? '').split('~');
  const declared = panels.find((each) => each.kind === kind);
  const Body = useMemo(() => {
    const load = declared?.load;
    return load && lazy(async () => ({ default: (await load()).Panel }));
  }, [declared]);
  if (!declared || !Body) return null;
  return (
    <aside className={classes.panel} aria-label={declared.title}>
      <div className={classes.panelHead}>
        <Title order={2} size="h3">
          {declared.title}
        </Title>
        <ActionIcon aria-label={t('Close panel')} onClick={close}>
          <X size={16} />
        </ActionIcon>
      </div>
      <Suspense fallback={<Skeleton height={120} />}>
        <Body id={rest.join('~')} />
      </Suspense>
    </aside>
  );
}
