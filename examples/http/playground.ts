/** The page to look at searches: as a fetch handler, in Express and in Koa. */
import express from 'express'
import { Hono } from 'hono'
import Koa from 'koa'
import { createOptimizer } from 'querent'
import { playgroundRoute } from 'querent/express'
import { playgroundHandler } from 'querent/fetch'
import * as querentKoa from 'querent/koa'
import { substringSearch } from '../substring-search.ts'

const books = [{ docid: 'dune', title: 'Dune', text: 'A desert planet and its giant worms.' }]
const optimizer = createOptimizer({ retrievers: [await substringSearch(books)] })
export const hono = new Hono()
export const app = express()
export const koa = new Koa()

const page = playgroundHandler({ optimizer })
hono.all('/playground', (context) => page(context.req.raw)) // fetch handlers
app.use('/playground', playgroundRoute({ optimizer })) // Express
koa.use(querentKoa.playgroundRoute({ optimizer })) // Koa
