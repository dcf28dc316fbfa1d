/** An item of a response without the URL of its page, which the operation adds. */
export type WithoutUrl<Item extends { url: string }> = Omit<Item, 'url'>

/** A page of such items. */
export type PageWithoutUrls<Page extends { data: { url: string }[] }> = Omit<Page, 'data'> & {
  data: WithoutUrl<Page['data'][number]>[]
}
