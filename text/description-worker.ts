import { answerJobs } from '#threads.ts'
import { readDescription } from './description.ts'

answerJobs(readDescription)
