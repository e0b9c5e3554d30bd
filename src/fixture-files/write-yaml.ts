/** A value as YAML 1.2, every object written out. The package is loaded here. */
export async function yamlText(value: object): Promise<string> {
  const { stringify } = await import('./yaml.ts')
  return stringify(value, { aliasDuplicateObjects: false })
}
