import { whenOpened } from '../kit/when-opened.tsx';

interface Closable {
  readonly onClose: () => void;
}

export const PaletteHost = whenOpened<Closable>(async () => (await import('./palette.tsx')).Palette);
export const ShortcutSheet = whenOpened<Closable>(async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet);
export const RailDrawer = whenOpened<Closable>(async () => (await import('./rail-drawer.tsx')).RailDrawer);
