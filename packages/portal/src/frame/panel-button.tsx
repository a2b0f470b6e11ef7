import { ActionIcon, Badge } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { Tooltip } from '../kit/tooltip.tsx';
import classes from './frame.module.css';
import { usePanel } from './panel.tsx';

interface PanelButtonProps {
  /** The panel that it opens and closes. */
  readonly panel: string;
  /** Says the count too. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly count: number;
}

/** Opens a panel of the frame, and shows how much in it waits for the user. */
export function PanelButton({ panel, label, icon: Icon, count }: PanelButtonProps) {
  const { open, close, shown } = usePanel();
  const isShown = shown?.startsWith(`${panel}~`) ?? false;
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={classes.inboxButton ?? ''}
        aria-label={label}
        aria-expanded={isShown}
        onClick={() => (isShown ? close() : open(panel))}
        size={32}
      >
        <Icon size={20} />
        {count > 0 && (
          <Badge className={classes.count ?? ''} circle size="xs" variant="filled" aria-hidden="true">
            {count > 9 ? '9+' : count}
          </Badge>
        )}
      </ActionIcon>
    </Tooltip>
  );
}
