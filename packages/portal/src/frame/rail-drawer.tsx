import { Drawer } from '@mantine/core';
import { useFocusBack } from '../kit/use-focus-back.ts';
import { RailBody } from './rail.tsx';

/** The rail as a drawer, for narrow screens. */
export function RailDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  useFocusBack(isOpen);
  return (
    <Drawer opened={isOpen} onClose={onClose} returnFocus={false} title="Portolan" size={300} padding="sm">
      <nav aria-label="All pages">
        <RailBody onGo={onClose} withMain />
      </nav>
    </Drawer>
  );
}
