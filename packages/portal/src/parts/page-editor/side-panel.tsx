import { ActionIcon, Title } from '@mantine/core';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFocusBack } from '../../kit/use-focus-back.ts';
import classes from './page-editor.module.css';

/** What is open beside the page, under it on narrow screens. */
export function SidePanel({ title, onClose, children }: { title: string; onClose?: () => void; children: ReactNode }) {
  const id = useId();
  useFocusBack(true);
  return (
    <aside className={classes.side} aria-labelledby={id}>
      <div className={classes.sideHead}>
        <Title order={2} size="h3" id={id} dir="auto">
          {title}
        </Title>
        {onClose && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Close ${title}`} onClick={onClose}>
            <X size={16} />
          </ActionIcon>
        )}
      </div>
      {children}
    </aside>
  );
}
