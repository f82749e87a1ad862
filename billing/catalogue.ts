import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { StartFailure } from '#start-failure.ts'

export const periods = ['month', 'year'] as const
export type Period = (typeof periods)[number]

export interface Plan {
  key: string
  name: string
  /** In the currency's smallest unit. */
  prices: Record<Period, number>
  /** What the plan contains. */
  features?: Feature[]
}

/** A text, or one for each language. */
type Feature = string | Readonly<Record<string, string>>

/** The text in a language, else in English, else in the first one. */
export const featureIn = (feature: Feature, language: string): string =>
  typeof feature === 'string'
    ? feature
    : (feature[language] ?? feature['en'] ?? (Object.values(feature)[0] as string))

interface Product {
  key: string
  name: string
  plans: Plan[]
}

/** The products, plans and prices that projects can subscribe to. */
export interface Catalogue {
  /** ISO 4217, in lower case. */
  currency: string
  trialDays: number
  products: Product[]
  /** The catalogues of single platforms, by their ids; the others have this one. */
  platforms?: ReadonlyMap<number, Catalogue>
}

/** The catalogue of a platform; null for people without a project. */
export const catalogueOf = (catalogue: Catalogue, platformId: number | null): Catalogue =>
  (platformId !== null && catalogue.platforms?.get(platformId)) || catalogue

const ownFile = path.join(import.meta.dirname, 'catalogue.json')

/** Reads the catalogue. A mistake in it stops the start, because it would become a mistake in a bill. */
export async function loadCatalogue(file = ownFile): Promise<Catalogue> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartFailure(`The catalog ${file} cannot be read (${error.code}); check CARDINAL_CATALOGUE.`)
  })
  try {
    return parseCatalogue(JSON.parse(text))
  } catch (error) {
    if (error instanceof CatalogueMistake || error instanceof SyntaxError)
      throw new StartFailure(`The catalog ${file} is wrong: ${error.message}`)
    throw error
  }
}

class CatalogueMistake extends Error {}

function parseCatalogue(value: unknown): Catalogue {
  const { platforms, ...usual } = entries(value, 'it')
  const catalogue = parseOffers(usual, '')
  if (platforms === undefined) return catalogue
  const parsed = Object.entries(entries(platforms, 'platforms')).map(([id, given]) => {
    if (!/^[1-9]\d{0,14}$/.test(id))
      throw new CatalogueMistake(`platforms has the key "${id}"; keys are the ids of platforms.`)
    return [Number(id), parseOffers(entries(given, `platforms.${id}`), `platforms.${id}.`)] as const
  })
  return { ...catalogue, platforms: new Map(parsed) }
}

/** `place` is where the catalogue is in the file. */
function parseOffers(given: Record<string, unknown>, place: string): Catalogue {
  const { currency, trial_days: trialDays, products } = given
  if (typeof currency !== 'string' || !isCurrency(currency))
    throw new CatalogueMistake(`${place}currency must be an ISO 4217 code in lower case, such as "eur".`)
  return {
    currency,
    trialDays: wholeNumber(trialDays, `${place}trial_days`, 365),
    products: keyed(products, `${place}products`).map(([key, product]) =>
      parseProduct(key, product, `${place}products.${key}`),
    ),
  }
}

function parseProduct(key: string, value: unknown, where: string): Product {
  const { name, plans } = entries(value, where)
  return {
    key,
    name: title(name, `${where}.name`),
    plans: keyed(plans, `${where}.plans`).map(([plan, given]) =>
      parsePlan(plan, given, `${where}.plans.${plan}`),
    ),
  }
}

function parsePlan(key: string, value: unknown, where: string): Plan {
  const { name, month, year, features } = entries(value, where)
  const prices = {
    month: wholeNumber(month, `${where}.month`, maxAmount),
    year: wholeNumber(year, `${where}.year`, maxAmount),
  }
  return {
    key,
    name: title(name, `${where}.name`),
    prices,
    ...(features !== undefined && { features: parseFeatures(features, `${where}.features`) }),
  }
}

function parseFeatures(value: unknown, where: string): Feature[] {
  if (!Array.isArray(value) || value.length > 20)
    throw new CatalogueMistake(`${where} must be a list of at most 20 texts.`)
  return value.map((feature, index) => {
    const place = `${where}[${index}]`
    if (typeof feature === 'string') return title(feature, place)
    return Object.fromEntries(
      keyed(feature, place).map(([language, text]) => [language, title(text, `${place}.${language}`)]),
    )
  })
}

/** The largest amount that Stripe charges at once. */
const maxAmount = 99_999_999

function entries(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CatalogueMistake(`${where} must be an object.`)
  return value as Record<string, unknown>
}

function keyed(value: unknown, where: string): [string, unknown][] {
  const found = Object.entries(entries(value, where))
  if (found.length === 0) throw new CatalogueMistake(`${where} must not be empty.`)
  const wrong = found.find(([key]) => !/^[a-z][a-z0-9_-]{0,49}$/.test(key))
  if (wrong)
    throw new CatalogueMistake(
      `${where} has the key "${wrong[0]}"; keys are lower-case letters, digits, - and _, and begin with a letter.`,
    )
  return found
}

function title(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 100)
    throw new CatalogueMistake(`${where} must be a text of 1 to 100 characters.`)
  return value.trim()
}

function wholeNumber(value: unknown, where: string, max: number): number {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > max)
    throw new CatalogueMistake(`${where} must be a whole number from 1 to ${max}.`)
  return Number(value)
}

const isCurrency = (code: string) =>
  code === code.toLowerCase() && Intl.supportedValuesOf('currency').includes(code.toUpperCase())

export const findProduct = ({ products }: Catalogue, key: string) =>
  products.find((product) => product.key === key)

/** Formats an amount, such as €49 or €49.50. */
export function formatPrice(amount: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** maximumFractionDigits)
}

/** Finds a plan, or says which keys are unknown. With an unknown product, the plan is unknown only if no product has it. */
export function findPlan(
  catalogue: Catalogue,
  { product, plan }: { product: string; plan: string },
): Plan | { unknown: ('plan' | 'product')[] } {
  const found = findProduct(catalogue, product)
  const candidates = found ? [found] : catalogue.products
  const meant = candidates.flatMap(({ plans }) => plans).find(({ key }) => key === plan)
  if (found && meant) return meant
  return { unknown: [...(meant ? [] : (['plan'] as const)), ...(found ? [] : (['product'] as const))] }
}
