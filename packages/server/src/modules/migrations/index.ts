export { createMigrations } from './migrations.module.ts';
