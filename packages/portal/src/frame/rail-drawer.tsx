import { Drawer, Stack } from '@mantine/core';
import { ChevronDown, LayoutGrid } from 'lucide-react';
import { useRef } from 'react';
import { useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import { useFocusBack } from '../kit/use-focus-back.ts';
import type { RailArea } from './area.ts';
import classes from './frame.module.css';
import { AreaRail } from './rail.tsx';
import { topEntries, useArea } from './rail-areas.ts';
import { RailLink } from './rail-node.tsx';
import { useRailKeys } from './use-rail-keys.ts';

const icon = { size: 16, 'aria-hidden': true } as const;
const withRail: ReadonlySet<string | undefined> = new Set<RailArea>(['catalog', 'ai', 'builder']);

/** The menu of narrow screens: every area, those with a rail as folders, that of the present screen open. */
export function RailDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  useFocusBack(isOpen);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      title="Portolan"
      size={300}
      padding="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Areas onGo={onClose} />
    </Drawer>
  );
}

function Areas({ onGo }: { onGo: () => void }) {
  const session = useSession();
  const { rail } = useArea();
  const root = useRef<HTMLElement>(null);
  const onKeyDown = useRailKeys(root);
  return (
    <nav ref={root} aria-label={t('All pages')} onKeyDown={onKeyDown}>
      <Stack gap={2}>
        {topEntries(session).map(({ label, to, icon: Icon, area }) =>
          withRail.has(area) ? (
            <details key={label} open={area === rail} className={classes.folder}>
              <summary className={classes.railLink} data-item tabIndex={-1}>
                <Icon {...icon} />
                <span className={classes.railLabel}>{label}</span>
                <ChevronDown size={14} className={classes.chevron} aria-hidden="true" />
              </summary>
              <div className={classes.inFolder}>
                {area === 'catalog' && (
                  <RailLink
                    target={{ to }}
                    label={t('All pages and types')}
                    icon={<LayoutGrid {...icon} />}
                    onGo={onGo}
                  />
                )}
                <AreaRail area={area as RailArea} onGo={onGo} />
              </div>
            </details>
          ) : (
            <RailLink key={label} target={{ to }} label={label} icon={<Icon {...icon} />} onGo={onGo} />
          ),
        )}
      </Stack>
    </nav>
  );
}
