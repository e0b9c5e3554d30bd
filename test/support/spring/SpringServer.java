import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tillbox.WebhookController;

/** Serves the controller at PORT with the Spring 4.3 and the Tomcat of Debian, which has no Spring Boot. */
class SpringServer {
  public static void main(String[] arguments) throws Exception {
    var context = new AnnotationConfigWebApplicationContext();
    context.register(
        RequestMappingHandlerMapping.class, RequestMappingHandlerAdapter.class, WebhookController.class);
    var tomcat = new Tomcat();
    tomcat.setBaseDir("tomcat");
    tomcat.setPort(Integer.parseInt(System.getenv("PORT")));
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    var root = tomcat.addContext("", null);
    Tomcat.addServlet(root, "spring", new DispatcherServlet(context));
    root.addServletMappingDecoded("/", "spring");
    tomcat.start();
    tomcat.getServer().await();
  }
}
