import type { Area, AreaCommand, Destination, PanelDeclaration } from './area.ts';

const found = import.meta.glob<{ default: Area }>('../screens/*/area.ts', { eager: true });

/** Every area: each folder of `screens` with an `area.ts` is picked up automatically. */
const areas: readonly Area[] = Object.values(found).map((file) => file.default);

export const destinations: readonly Destination[] = areas
  .flatMap((each) => each.destinations ?? [])
  .toSorted((left, right) => left.order - right.order);

export const panels: readonly PanelDeclaration[] = areas.flatMap((each) => each.panels ?? []);

export const areaCommands: readonly AreaCommand[] = areas.flatMap((each) => each.commands ?? []);

export const userMenuItems = areas.flatMap((each) => each.userMenu ?? []);
