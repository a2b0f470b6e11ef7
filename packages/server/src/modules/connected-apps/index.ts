export { createConnectedApps } from './connected-apps.module.ts';
