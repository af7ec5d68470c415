// A module of its own, since of a CommonJS package that is loaded lazily the bundle gives the default export alone.
export { stringify as stringifyYaml } from 'yaml'
