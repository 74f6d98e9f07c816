// @ts-check
// Without the fonts: the system has some, and nothing is loaded from anywhere else.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
