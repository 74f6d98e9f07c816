package standins;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerScope;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/**
 * Stands in for the module of analyzers, which is not published by itself: the English one, what the index of users and
 * roles needs, and a few that custom analyzers are often made of. Lucene has all of them.
 */
public abstract class Analysis extends Plugin implements AnalysisPlugin {
    private volatile ClusterService cluster;

    @Override
    public Collection<?> createComponents(PluginServices services) {
        cluster = services.clusterService();
        return List.of();
    }

    protected final Root root() {
        return new Root(cluster);
    }

    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
        return Map.of("english", (index, environment, name, settings) -> provider(name, new EnglishAnalyzer()));
    }

    @Override
    public List<PreConfiguredTokenizer> getPreConfiguredTokenizers() {
        return List.of(
            PreConfiguredTokenizer.singleton("keyword", KeywordTokenizer::new),
            PreConfiguredTokenizer.singleton("whitespace", WhitespaceTokenizer::new),
            PreConfiguredTokenizer.singleton("uax_url_email", UAX29URLEmailTokenizer::new));
    }

    @Override
    public List<PreConfiguredTokenFilter> getPreConfiguredTokenFilters() {
        return List.of(
            PreConfiguredTokenFilter.singleton("asciifolding", true, ASCIIFoldingFilter::new),
            PreConfiguredTokenFilter.singleton("porter_stem", false, PorterStemFilter::new),
            PreConfiguredTokenFilter.singleton("unique", false, RemoveDuplicatesTokenFilter::new));
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
            "edge_ngram", (index, environment, name, settings) -> edges(name, settings),
            "pattern_capture",
                AnalysisPlugin.requiresAnalysisSettings(
                    (index, environment, name, settings) -> captures(name, settings)));
    }

    private static TokenFilterFactory edges(String name, Settings settings) {
        int shortest = settings.getAsInt("min_gram", 1);
        int longest = settings.getAsInt("max_gram", 2);
        boolean whole = settings.getAsBoolean("preserve_original", false);
        return filter(name, tokens -> new EdgeNGramTokenFilter(tokens, shortest, longest, whole));
    }

    private static TokenFilterFactory captures(String name, Settings settings) {
        Pattern[] patterns = settings.getAsList("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new);
        boolean whole = settings.getAsBoolean("preserve_original", true);
        return filter(name, tokens -> new PatternCaptureGroupTokenFilter(tokens, whole, patterns));
    }

    private static TokenFilterFactory filter(String name, UnaryOperator<TokenStream> wrap) {
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return wrap.apply(tokens);
            }
        };
    }

    private static AnalyzerProvider<Analyzer> provider(String name, Analyzer analyzer) {
        return new AnalyzerProvider<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public AnalyzerScope scope() {
                return AnalyzerScope.INDEX;
            }

            @Override
            public Analyzer get() {
                return analyzer;
            }
        };
    }
}
