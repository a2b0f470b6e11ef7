import { ActionIcon, Title } from '@mantine/core';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../../kit/translate.ts';
import { useFocusBack } from '../../kit/use-focus-back.ts';
import classes from './page-editor.module.css';

/** What is open beside the page, under it on narrow screens. */
export function SidePanel({
  title,
  onClose,
  focusOn,
  children,
}: {
  title: string;
  onClose?: (() => void) | undefined;
  /** With each new value the field that the content marks with `data-begin` takes the focus. */
  focusOn: string;
  children: ReactNode;
}) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  // also from one content to the next, so that closing returns the focus to what opened the first
  useFocusBack(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content of another key brings its own field
  useEffect(() => panel.current?.querySelector<HTMLElement>('[data-begin]')?.focus(), [focusOn]);
  return (
    <aside ref={panel} className={classes.side} aria-labelledby={id}>
      <div className={classes.sideHead}>
        <Title order={2} size="h3" id={id} dir="auto">
          {title}
        </Title>
        {onClose && (
          <ActionIcon aria-label={t('Close {title}', { title })} onClick={onClose}>
            <X size={16} />
          </ActionIcon>
        )}
      </div>
      {children}
    </aside>
  );
}
