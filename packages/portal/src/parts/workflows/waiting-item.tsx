import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { AnchorLink } from '../../frame/links.tsx';
import { t } from '../../kit/translate.ts';
import { workflowRunAddress } from './workflow-links.ts';

/** Where an item stands. */
export interface WaitingPlace {
  className?: string | undefined;
  headClassName?: string | undefined;
}

/** Something of a workflow that waits for a person: leads to its run, and opens in place. */
export function WaitingItem({
  run,
  title,
  facts,
  verb,
  labels,
  children,
  className,
  headClassName,
}: WaitingPlace & {
  run: string;
  title: string;
  facts: ReactNode;
  /** What the button says while it is closed. */
  verb: string;
  /** Accessible names of the button. */
  labels: { readonly open: string; readonly close: string };
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={className}>
      <div className={headClassName}>
        <div style={{ flex: 1, minWidth: 0 }}>
          <AnchorLink {...workflowRunAddress(run)} fw={550} c="var(--text)" dir="auto">
            {title}
          </AnchorLink>
          <Text size="sm" c="dimmed" component="div">
            {facts}
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-label={isOpen ? labels.close : labels.open}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('Close') : verb}
        </Button>
      </div>
      {isOpen && children}
    </li>
  );
}
