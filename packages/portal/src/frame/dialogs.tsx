import { whenOpened } from '../kit/when-opened.tsx';

interface ClosableProps {
  readonly onClose: () => void;
}

export const ShortcutSheet = whenOpened<ClosableProps>(
  async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet,
);
export const RailDrawer = whenOpened<ClosableProps>(async () => (await import('./rail-drawer.tsx')).RailDrawer);
