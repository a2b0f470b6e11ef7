import { area } from '../../frame/area.ts';

export default area({
  screens: [{ path: '/catalog/$page/edit', title: 'Edit page', load: () => import('./edit.screen.tsx') }],
});
