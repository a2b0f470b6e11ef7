-- Agents require what the specification says: a mode has a default, so it is not among it.
update blueprints
set definition = jsonb_set(definition, '{schema,required}', (definition #> '{schema,required}') - 'execution_mode')
where is_system and identifier = '_ai_agent' and definition #> '{schema,required}' ? 'execution_mode';
